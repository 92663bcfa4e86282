/**
 * Follows every relative link of every page, to its file and to its heading; holds pages of `docs` to 200 lines, and its index to all of
 * them.
 *
 * The accident it prevents: a reader who is sent to a page that was renamed, to a heading that is gone, or past the page that has the
 * answer because no index names it. Nothing is fetched: addresses of the web are not looked at.
 * Checkers of links know neither the length of a page nor the index.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { git, root } from './workspaces.js'

const index = 'docs/README.md'
const mostLines = 200
/** Pages that a program writes. They are looked things up in, and read by nobody from top to bottom. */
const isGenerated = page => /^docs\/(operations|assumptions|evidence\/.*)\.md$/.test(page)

const pages = git('ls-files', '--cached', '--others', '--exclude-standard', '*.md')
  .split('\n')
  .filter(page => page !== '' && existsSync(join(root, page)) && !page.startsWith('.changeset/'))
const texts = new Map(pages.map(page => [page, readFileSync(join(root, page), 'utf8')]))
const links = pages.flatMap(page => linksOf(page))
const problems = [...links.flatMap(wrong), ...tooLong(), ...notInTheIndex()]
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`documentation: ${links.length} links on ${pages.length} pages lead somewhere`)
process.exitCode = problems.length === 0 && links.length > 0 ? 0 : 1

/** The links of a page to files of this repository, without what stands in blocks of code. */
function linksOf(page) {
  const prose = withoutBlocks(texts.get(page))
  return prose.split('\n').flatMap((line, at) =>
    [...line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(<?([^)\s>]+)>?(?:\s"[^"]*")?\)|\b(?:src|href)="([^"]+)"/g)]
      .map(([, link, attribute]) => link ?? attribute)
      .filter(link => !/^[a-z][a-z+.-]*:/i.test(link))
      .map(link => ({ page, line: at + 1, link })),
  )
}

/** Blocks of code become empty lines, so that lines keep their numbers. */
function withoutBlocks(text) {
  return text.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$/gm, block => block.replaceAll(/[^\n]/g, ''))
}

function wrong({ page, line, link }) {
  const [path, anchor] = link.split('#', 2)
  const target = path === '' ? page : normalize(join(dirname(page), decodeURIComponent(path)))
  const at = `${page}:${line}: ${link}`
  if (!existsSync(join(root, target))) return [`${at}: there is no ${target}.`]
  if (anchor === undefined || anchor === '') return []
  const read = statSync(join(root, target)).isDirectory() ? join(target, 'README.md') : target
  if (!texts.has(read)) return []
  return anchorsOf(read).has(anchor) ? [] : [`${at}: ${read} has no heading of that name.`]
}

/** What GitHub makes of the headings of a page. */
function anchorsOf(page) {
  const seen = new Map()
  const headings = [...withoutBlocks(texts.get(page)).matchAll(/^#{1,6} +(.+?)\s*$/gm)].map(([, heading]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set(
    headings.map(name => {
      const count = seen.get(name) ?? 0
      seen.set(name, count + 1)
      return count === 0 ? name : `${name}-${count}`
    }),
  )
}

function tooLong() {
  return pages
    .filter(page => page.startsWith('docs/') && !isGenerated(page))
    .map(page => ({ page, lines: texts.get(page).trimEnd().split('\n').length }))
    .filter(({ lines }) => lines >= mostLines)
    .map(
      ({ page, lines }) => `${page} has ${lines} lines; a page has fewer than ${mostLines}. Cut it, or make two of it.`,
    )
}

function notInTheIndex() {
  const named = new Set(
    links.filter(({ page }) => page === index).map(({ link }) => normalize(join('docs', link.split('#', 1)[0]))),
  )
  return pages
    .filter(
      page => page.startsWith('docs/') && page !== index && !page.startsWith('docs/evidence/') && !named.has(page),
    )
    .map(page => `${index} does not name ${page}.`)
}
