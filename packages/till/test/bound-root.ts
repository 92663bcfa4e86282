/**
 * Goes before a command that file modes have to bind: nothing, or if root runs the tests, a command that takes the right to pass by
 * modes from it, capabilities(7). Another user might be able to read neither the repository nor Node.js.
 */
export const boundRoot: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : []
