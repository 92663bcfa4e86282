import type { TestProject } from 'vitest/node'
import { testServer } from './postgres-server.js'

/** Starts one server for all tests of a run, and stops it. A reason why there is none fails the tests that need it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    const server = await testServer()
    project.provide('postgres', { url: server.url })
    return () => server.stop()
  } catch (error) {
    project.provide('postgres', { missing: error instanceof Error ? error.message : String(error) })
    return async () => {}
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { readonly url: string } | { readonly missing: string }
  }
}
