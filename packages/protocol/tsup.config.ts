import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

// The OpenAPI document, which is all that this folder holds, comes with the package.
export default defineConfig({ ...base, publicDir: '../../docs/api' })
