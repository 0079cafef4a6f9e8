import { applyEvent, listRoutedEvents } from '../../payments/events/apply_event.ts'
import { routeEvents } from '../../payments/events/route_events.ts'
import type { ServiceRun, TenantRun } from '../periodic_task.ts'

/** Assigns new payment events to their companies. */
export const routePayments = ({ send }: ServiceRun): Promise<number[]> => send(routeEvents())

/** Applies a tenant's events in order, each in one transaction that also marks it as applied. */
export const applyPayments = ({ each }: TenantRun): Promise<void> => each(listRoutedEvents, applyEvent)
