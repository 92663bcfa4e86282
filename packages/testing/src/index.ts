export const packageName = '@tillkit/testing'
