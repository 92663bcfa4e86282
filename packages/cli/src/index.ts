export { type CertifyOptions, type CertifyProgress, certify, type MerchantStarter } from './certify/certify.js'
export type {
  MerchantUnderTest,
  PaidAnswer,
  PaymentToStart,
  ReceivedCallback,
  StartedPayment,
} from './certify/merchant.js'
export {
  type CertifiedCase,
  type CertifyFinding,
  type CertifyReport,
  describeCertification,
  type FindingKind,
  findingKinds,
} from './certify/report.js'
export { createGateway, type GatewayOptions } from './gateway/create-gateway.js'
