/**
 * A key pair unlike the published one, so that no test has to make one: that takes up to a second. TEST ONLY: it protects nothing.
 *
 * Made with `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`; its public half with `openssl pkey -pubout`.
 *
 * @module
 */

/** Private half, PKCS#8 PEM. */
export const otherPrivateKey = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCr8ECJGOILYMQm
OYgcup8JL9YL1jHNwMmPBGWMbonZJGnzRLcrYdVTfMnkvgH+/yzhiZaDvdWTfFhC
ujjEPKj6H8+Pj0+Ecl9UevZd+pSjIAwKXvIzuXguTBgttZk7yCr63fM5/yF3cWgb
oF9+gFCx3DuAX0Tr684W+bQ/W/WlEm6MdI92eVv/+4zMAZLWpBUkt6PrgFyBUWyh
KPoDmKF0j7czdr1mJEa7AGnbh75Y3RysWMBSOZLENa2/UJzxD7NLVOv6QtfBMSxg
o3dOq004KCa4fftQNELutIhhznA1s6VjRBW1z4NdvjZyJDYuVG4RUvaqppum72bd
owsiVBdJAgMBAAECggEAEjrIVODXApbRZS4fYNBmkT5JpvqgUCzbEfdI3wFPSz8B
nsHP2+ElEZN/Amok4wjiFM2WMESd0uPRpc2BvEikL9TUmGd86lGICvh4i5FIVh1N
OYJEkrhc5ie6PoptAzofWHbU1XbX8QaMn7U6urpXE+yCQIOZVpwrPyNdeYRCAKzN
nnFPJ/706CEbH4o7+MvGUQNctYll1pA8kksgaht8YMTLYolsJL96kpq56dgCsG+l
BzgnS9N0v4LI0zFfOEucTSPioquWr9gGrZ347pP2RIXaznQh+lIPlDckbvCwzHni
DPeIob+fj0Jm45+BC9Skm3vJciZlcSbPX1sJzm4a0wKBgQDU9xVn7icwCK4tRUWT
jvr+D2zjtlKxqmWhBUhgdOsB9WekqtRfvICrLHflSlgaQn39rSAh8yfa3BUUKDSc
ejPuZGU+YgiTjftcKyGsYHh2WjHsLiOJ6Zuz84LRzGXj5KtznJMwSDdOHDi4MIxv
h5CrxGuwUb3R8KRW/cfhT7dKkwKBgQDOrtBnkmli1vj1LNNWIo0RO6goICyagFam
6aT/3Dw9pvCn2BeXjekeGuRiSFnvVxK2CajI9kenLnVctXqPruupwiRjuTGAzvQ2
5vQKGFT2DgSyFTu4B48vkUOO09oRxbSZDRgIeSwQYYVEQ+ZDPYkbqD1ljiJVH02t
S9g/MUhUMwKBgQDB38Ye/VGzitN15xA2Cv4397b7fmm90BABDJwdI5MmD1CxOcto
9GR2cF8d4BZgoZOtMsSD46auuZh+5zMuGJnaNo9swTZpjeH8wE9Ba/l+VRIJnt8/
l+nlYpP/hoJjezMSZsIgPD4M3+hK1fejONjdZk1bEK8rxlT11Mb4OOf1/QKBgH78
dVtNX6a0wh2RPv+rFtVBvB17NyxuMc83uoLhg7m1eiMF5+jb7iDrEOs53NfqvbpO
0P84Ieob50vgzL6/EFgqykTjIgEsJmwdFk+lh33uOwBXf2ugaV8md0Wn8FH/EOkA
XIXIPUSLRmAc/7rMchMmGSLuYzW9l/IjqWeaFgB1AoGAZE1VHpAufJ5BarM7XNKV
ykVg8h6UuiJolMZmeKFrN3F4V436WFSoRK1cE/pzpmtk0jlHTc8j0DmGZfHkmL6x
U8I4r5iO6FHtyrf6Yll2WeO//3DTUzML6Ff9yAe39eqZzYuBlWULsgh5b7X3DxC8
WhDpTqgCYDqSVQcl9mF5Fm8=
-----END PRIVATE KEY-----
`

/** Public half, SPKI PEM. */
export const otherPublicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq/BAiRjiC2DEJjmIHLqf
CS/WC9YxzcDJjwRljG6J2SRp80S3K2HVU3zJ5L4B/v8s4YmWg73Vk3xYQro4xDyo
+h/Pj49PhHJfVHr2XfqUoyAMCl7yM7l4LkwYLbWZO8gq+t3zOf8hd3FoG6BffoBQ
sdw7gF9E6+vOFvm0P1v1pRJujHSPdnlb//uMzAGS1qQVJLej64BcgVFsoSj6A5ih
dI+3M3a9ZiRGuwBp24e+WN0crFjAUjmSxDWtv1Cc8Q+zS1Tr+kLXwTEsYKN3TqtN
OCgmuH37UDRC7rSIYc5wNbOlY0QVtc+DXb42ciQ2LlRuEVL2qqabpu9m3aMLIlQX
SQIDAQAB
-----END PUBLIC KEY-----
`
