/** What the CommonJS build carries of jose, see tsup.config.ts. */
export { errors, jwtVerify, SignJWT } from 'jose'
