/** Drawings of the products: flat shapes, so that the shop needs no files and no network. */
import type { Product } from '../catalog.js'
import { type Html, trusted } from './html.js'

const shapes: { readonly [Shape in Product['picture']['shape']]: string } = {
  cup: `<path d="M62 66h76v52a34 34 0 0 1-34 34h-8a34 34 0 0 1-34-34z" fill="var(--glaze)"/>
    <path d="M138 82h10a18 18 0 0 1 0 38h-12" fill="none" stroke="var(--glaze)" stroke-width="11"/>
    <path d="M62 112q19 12 38 0t38 0v6a34 34 0 0 1-34 34h-8a34 34 0 0 1-34-34z" fill="var(--clay)"/>
    <ellipse cx="100" cy="66" rx="38" ry="8" fill="var(--rim)"/>`,
  bowl: `<path d="M40 84h120a60 62 0 0 1-60 62 60 62 0 0 1-60-62z" fill="var(--glaze)"/>
    <path d="M52 120a60 62 0 0 0 96 0q-12 26-48 26t-48-26z" fill="var(--clay)"/>
    <path d="M80 144h40l4 12H76z" fill="var(--clay)"/>
    <ellipse cx="100" cy="84" rx="60" ry="11" fill="var(--rim)"/>`,
  vase: `<path d="M90 46h20v22q30 16 30 48 0 38-40 38t-40-38q0-32 30-48z" fill="var(--glaze)"/>
    <path d="M61 124q20 10 39 0t39 0q-4 30-39 30t-39-30z" fill="var(--clay)"/>
    <ellipse cx="100" cy="46" rx="13" ry="4" fill="var(--rim)"/>
    <path d="M100 46q-4-20 8-32" fill="none" stroke="#6f7f56" stroke-width="3"/>
    <circle cx="110" cy="13" r="7" fill="#c8643c"/>`,
  teapot: `<path d="M58 108q0-40 44-40t44 40-20 44h-48q-20-4-20-44z" fill="var(--glaze)"/>
    <path d="M62 100q-20 2-26-26l-10 2q6 42 38 46z" fill="var(--glaze)"/>
    <path d="M142 84q30-6 28 20t-32 26" fill="none" stroke="var(--glaze)" stroke-width="10"/>
    <path d="M60 126q20 10 42 0t42 0q-4 26-18 26h-48q-14-2-18-26z" fill="var(--clay)"/>
    <path d="M76 72q26-14 52 0z" fill="var(--rim)"/><circle cx="102" cy="58" r="7" fill="var(--rim)"/>`,
  plate: `<ellipse cx="100" cy="112" rx="74" ry="40" fill="var(--clay)"/>
    <ellipse cx="100" cy="106" rx="74" ry="40" fill="var(--glaze)"/>
    <ellipse cx="100" cy="104" rx="50" ry="25" fill="var(--rim)"/>
    <ellipse cx="100" cy="106" rx="46" ry="22" fill="var(--glaze)"/>`,
  jug: `<path d="M72 50l52-6-8 22q26 20 26 50 0 38-42 38t-42-38q0-30 22-50z" fill="var(--glaze)"/>
    <path d="M134 74q36 2 30 32t-28 22" fill="none" stroke="var(--glaze)" stroke-width="10"/>
    <path d="M58 122q20 10 42 0t42 0q-2 32-42 32t-42-32z" fill="var(--clay)"/>
    <path d="M72 50l52-6-4 10-44 4z" fill="var(--rim)"/>`,
}

/** The picture of a product. Decorative: its name stands beside it. */
export function picture({ picture: { shape, glaze } }: Product): Html {
  return trusted(
    `<svg class="picture" viewBox="0 0 200 180" aria-hidden="true" style="--glaze:${glaze}">
    <ellipse cx="100" cy="156" rx="62" ry="8" class="shadow"/>${shapes[shape]}</svg>`,
  )
}
