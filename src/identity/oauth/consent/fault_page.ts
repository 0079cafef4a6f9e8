/** Error that can't be returned to a client, for the user at the browser. */
type AuthorizationFault = {
  status: number
  error: string
  description: string
  /** True if the client is unknown here. Its connector must be removed and added again. */
  isStaleClient: boolean
}

/** Returns a whole HTML page. */
export type ShowFault = (fault: AuthorizationFault) => string

export const staleClientMessage =
  'This app is no longer registered here. Remove the connector in the app and add it again.'
