export const packageName = '@tillkit/client'
