export { listCalendarVisits, listUpcomingVisits } from './visits/upcoming.ts'
export type { CalendarVisit, UpcomingVisit } from './visits/upcoming.ts'
export { backdateJob } from './visits/backdate.ts'
export {
  countUnscheduledJobs,
  countWaiting,
  listBookedVisits,
  listFirstVisits,
  listUnscheduledVisits,
  visitsBetween,
} from './visits/day_visits.ts'
export type { BookedVisit, DayVisit, UnscheduledVisit } from './visits/day_visits.ts'
export { isUnbilled } from './overview/unbilled.ts'
export { countJobsBySource } from './overview/sources.ts'
export type { SourceCount } from './overview/sources.ts'
export { countVisits } from './overview/visits_of_week.ts'
export { NOBODY, crewAfter } from './visits/crew.ts'
export { listOwnVisits, listRecentVisits, listSiteAccess } from './visits/crew_visits.ts'
export type { OwnVisit, RecentVisit, SiteAccess } from './visits/crew_visits.ts'
export { timeWarnings } from './visits/visit_warnings.ts'
export { visitsOnDaysOff } from './visits/day_off_visits.ts'
export type { DayOffVisit } from './visits/day_off_visits.ts'
export {
  addInstances,
  alignInstances,
  cancelInstances,
  lockNotStarted,
  moveInstances,
  deleteUntouchedInstances,
} from './instances.ts'
export type { Instance, Placement } from './instances.ts'
export { applyParts, lockVisits, partsIn } from './series/visit_parts.ts'
export type { VisitUpdate, VisitOfSeries, VisitPart } from './series/visit_parts.ts'
export { scheduleAfter } from './visits/schedule.ts'
export { changeJobForCustomer, lockEditable } from './edit.ts'
export { bookJob, prepareJob } from './visits/book.ts'
export { cancelJob, findJob, countOpenJobs, openJobCounts } from './job.ts'
export type { Job, WorkParts } from './fields.ts'
export type { JobView } from './job.ts'
export { mediaForm, mediaPart } from './media/media_part.ts'
export { addMedia, findMedia, MEDIA_STAGES, removeMedia } from './media/media.ts'
export type { MediaFile, MediaStage, NewMedia } from './media/media.ts'
export { billableJobs, listCommonTitles, listJobNames, jobsOfQuote } from './names.ts'
export { OPEN_STATUSES, nextStatus } from './status.ts'
export {
  NO_PARTS,
  pickWorkParts,
  serviceWarnings,
  resolveWork,
  siteAfter,
  siteFor,
  toWorkColumns,
  workPartsAfter,
  workPartsOf,
  WORK_DEFAULTS,
} from './visits/work.ts'
export type { ResolvedWork } from './visits/work.ts'
export {
  allDayInput,
  arrivalWindow,
  crewAndLines,
  descriptionFields,
  durationField,
  foldedTitle,
  priorityField,
  workParts,
} from './visits/work_fields.ts'
export type { Assignment } from './visits/work_fields.ts'
export { listJobEvents, listNextVisits, listUnscheduledJobs } from './overview/job_events.ts'
export type { UpcomingJob, JobEvent } from './overview/job_events.ts'
