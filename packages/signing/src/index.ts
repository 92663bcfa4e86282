export const packageName = '@tillkit/signing'
