import type { ListenOptions } from '@tillkit/testing'
import { createGateway, type GatewayOptions } from 'tillkit'
import schema from 'tillkit/config.schema.json' with { type: 'json' }

const options: GatewayOptions = { dashboard: true, prefix: '/paynet' }
const listening: ListenOptions = { port: 0, host: '127.0.0.1' }
const title: string = schema.title

export { createGateway, listening, options, title }
