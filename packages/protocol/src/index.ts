export const packageName = '@tillkit/protocol'
