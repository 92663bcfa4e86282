import { mustBe, nested, required } from '@tillkit/protocol'

/** One colour for light pages and one for dark ones, each as `#rrggbb`. */
export interface PageAccent {
  readonly light: string
  readonly dark: string
}

const aColour = mustBe(
  value => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  'a colour with six digits, such as #23527c',
)

/** Checks the option of a merchant's colours. */
export const anAccent = nested<PageAccent>({ light: required(aColour), dark: required(aColour) })

/** Rules of a style sheet for a merchant's colours. @throws {TypeError} when a colour is none. */
export function accentStyle(accent: PageAccent | undefined): string {
  if (accent === undefined) return ''
  const problem = anAccent(accent, 'pages.accent')
  if (problem !== undefined) throw new TypeError(problem)
  const rule = (colour: string) => `:root { --accent: ${colour}; --on-accent: ${textOn(colour)}; }`
  return `${rule(accent.light)}\n@media (prefers-color-scheme: dark) { ${rule(accent.dark)} }\n`
}

/** Black or white, whichever is easier to read on a colour: its contrast is 4.58 to 1 at least. @see WCAG 2.2, 1.4.3 */
export function textOn(colour: string): '#000000' | '#ffffff' {
  const light = luminance(colour)
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? '#000000' : '#ffffff'
}

/** Relative luminance, from 0 to 1. @see WCAG 2.2, "relative luminance" */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
