import { describe, expect, it } from 'vitest'
import { sentence } from './messages.js'

describe('sentence', () => {
  it.each([
    ['nothing was created', 'nothing was created.'],
    ['Nothing was created.', 'Nothing was created.'],
    ['Nothing was created. ', 'Nothing was created.'],
    ['Really?', 'Really?'],
    ['It said “no.”', 'It said “no.”'],
    ['code 8', 'code 8.'],
  ])('ends "%s"', (text, ended) => {
    expect(sentence(text)).toBe(ended)
  })
})
