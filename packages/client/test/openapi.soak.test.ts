/** Every operation against the OpenAPI document; the daily run has one of each scheme. */
import './openapi.test.js'
