/**
 * How large the published packages may be: packed, and what programs carry along when they bundle all that a main entry exports, without
 * packages of others. The accident it prevents: a package doubles in size, and nobody sees it. Each is five per cent above what it was.
 */
const packed = {
  '': 488,
  '-client': 249,
  '-express-middleware': 149,
  '-protocol': 241,
  '-signing': 233,
  '-testing': 412,
  '-till': 986,
}
const bundled = { client: 183, protocol: 75, signing: 31 }

export default [
  ...Object.entries(packed).map(([name, most]) => ({
    name: `tillkit${name}, packed`,
    path: `tarballs/tillkit${name}-[0-9]*.tgz`,
    limit: `${most} kB`,
    brotli: false,
    modifyEsbuildConfig: config => ({ ...config, loader: { '.tgz': 'copy' } }),
  })),
  ...Object.entries(bundled).map(([name, most]) => ({
    name: `${name}, bundled`,
    path: `packages/${name}/dist/index.js`,
    limit: `${most} kB`,
    brotli: false,
    ignore: ['undici'],
    modifyEsbuildConfig: config => ({ ...config, platform: 'node', format: 'esm' }),
  })),
]
