export const packageName = '@tillkit/express-middleware'
