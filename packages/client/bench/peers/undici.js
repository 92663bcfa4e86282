/** A pool of undici that sends the bytes this package sends, made beforehand, and reads the answer as text. */
import { Pool } from 'undici'
import { sentBytes } from './tillkit.js'

export async function bareUndici(port, { connections }) {
  const request = { ...(await sentBytes(port)), method: 'POST' }
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  return {
    send: async () => {
      const { body } = await pool.request(request)
      return body.text()
    },
    stop: () => pool.close(),
  }
}
