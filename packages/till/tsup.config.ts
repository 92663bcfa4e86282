import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

export default defineConfig({ ...base, entry: ['src/sqlite.ts', 'src/postgres.ts'], splitting: true })
