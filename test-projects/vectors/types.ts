import { type PublishedVector, vectors } from '@tillkit/testing/vectors'
import published from '@tillkit/testing/vectors.json' with { type: 'json' }

export const ids: readonly string[] = vectors.map(({ id }: PublishedVector) => id)
// @ts-expect-error what was expected depends on the group
export const text: string = vectors[0]?.expected
export const about: string = published.about
