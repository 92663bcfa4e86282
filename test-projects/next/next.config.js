export default { serverExternalPackages: ['@tillkit/till'], turbopack: { root: import.meta.dirname } }
