import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import schema from '../src/gateway/config.schema.json' with { type: 'json' }
import { controlPath, controlRoutes } from '../src/gateway/control/routes.js'
import { schemaProblems } from '../src/schema.js'
import { runInProcess } from './run-in-process.js'

let page: string
beforeAll(async () => {
  page = await readFile(new URL('../../../docs/gateway-command.md', import.meta.url), 'utf8')
})

const block = (language: string): string => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

describe('docs/certify-any-language.md', () => {
  it('shows what certify --help prints', async () => {
    const certify = await readFile(new URL('../../../docs/certify-any-language.md', import.meta.url), 'utf8')
    const { said } = await runInProcess(['certify', '--help'])
    expect(certify).toContain(`\`\`\`text\n${said}\`\`\``)
  })
})

describe('docs/gateway-command.md', () => {
  it('shows what --help prints', async () => {
    expect(block('text')).toBe((await runInProcess(['gateway', '--help'])).said)
  })

  it('shows a config file that is one', () => {
    expect(schemaProblems(JSON.parse(block('json')), schema, 'The config')).toEqual([])
  })

  it('leads to a page that lists every route of the control API with its words', async () => {
    const api = await readFile(new URL('../../../docs/gateway-from-a-program.md', import.meta.url), 'utf8')
    const rows = Object.values(controlRoutes).map(
      ({ method, path, does }) => `| \`${method} ${controlPath}${path}\` | ${does} |`,
    )
    expect(api.match(/^\| `.*$/gm)?.toSorted()).toEqual(rows.toSorted())
  })
})
