import { ProxyAgent } from 'undici'
import { connectionOptions, createClientFromEnv } from '../../src/index.js'

/** @param proxy Address of the proxy, such as `http://user:password@proxy.internal:3128`. */
export function clientBehindProxy(proxy: string) {
  const dispatcher = new ProxyAgent({ ...connectionOptions, uri: proxy })
  return { client: createClientFromEnv(process.env, { dispatcher }), dispatcher }
}
