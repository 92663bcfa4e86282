/**
 * Addresses of the dashboard.
 *
 * @module
 */

/** Where the dashboard begins. */
export const dashboardPath = '/__gateway/'

/** Address of the page of an order. */
export const orderAddress = (orderId: string): string => `${dashboardPath}orders/${orderId}`

/** Address of the page of a call. */
export const callAddress = (number: number): string => `${dashboardPath}calls/${number}`
