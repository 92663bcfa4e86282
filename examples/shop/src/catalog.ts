/** The shop sells these things. */

/** One product. Prices are decimal strings in major units. */
export interface Product {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly price: string
  readonly currency: string
  /** Shape and glaze of its picture. */
  readonly picture: { readonly shape: 'cup' | 'bowl' | 'vase' | 'teapot' | 'plate' | 'jug'; readonly glaze: string }
}

/** Everything on the shelf, in the order it is shown. */
export const catalog: readonly Product[] = [
  {
    id: 'morning-cup',
    name: 'Morning cup',
    description: 'Holds a quarter of a litre and the first quiet hour.',
    price: '18.00',
    currency: 'EUR',
    picture: { shape: 'cup', glaze: '#2f6f73' },
  },
  {
    id: 'rice-bowl',
    name: 'Rice bowl',
    description: 'Thrown thin, glazed inside, raw where your fingers go.',
    price: '24.50',
    currency: 'EUR',
    picture: { shape: 'bowl', glaze: '#c8643c' },
  },
  {
    id: 'bud-vase',
    name: 'Bud vase',
    description: 'For one stem. Two at the very most.',
    price: '32.00',
    currency: 'EUR',
    picture: { shape: 'vase', glaze: '#d3a13b' },
  },
  {
    id: 'teapot',
    name: 'Teapot',
    description: 'Pours without a drip; we tried four spouts.',
    price: '86.00',
    currency: 'EUR',
    picture: { shape: 'teapot', glaze: '#48596b' },
  },
  {
    id: 'supper-plate',
    name: 'Supper plate',
    description: 'Twenty-six centimetres, stacks with its siblings.',
    price: '28.75',
    currency: 'EUR',
    picture: { shape: 'plate', glaze: '#7d8f5c' },
  },
  {
    id: 'garden-jar',
    name: 'Garden jar',
    description: 'Reaches to your hip. Two people carry it.',
    price: '1240.00',
    currency: 'EUR',
    picture: { shape: 'jug', glaze: '#8c4a5f' },
  },
]

/** The product with this id, if there is one. */
export function findProduct(id: string): Product | undefined {
  return catalog.find(product => product.id === id)
}
