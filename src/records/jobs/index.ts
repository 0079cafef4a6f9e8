export { comingVisitsOf } from './visits/coming.ts'
export type { ComingVisit } from './visits/coming.ts'
export { dateJob } from './visits/dated.ts'
export { countWaiting, visitsBetween } from './visits/day_visits.ts'
export type { DayVisit } from './visits/day_visits.ts'
export { visitsOnDaysOff } from './visits/day_off_visits.ts'
export type { DayOffVisit } from './visits/day_off_visits.ts'
export {
  addInstances,
  alignInstances,
  cancelInstances,
  lockUnbegun,
  moveInstances,
  removePristine,
} from './instances.ts'
export type { Instance, Placement } from './instances.ts'
export { findJob, openJobsOf, standingJobsOf } from './job.ts'
export type { Assignment, Job, JobSeen } from './job.ts'
export { addMedia, findMedia, MEDIA_STAGES, removeMedia } from './media/media.ts'
export type { MediaFile, MediaStage, NewMedia } from './media/media.ts'
export { billableJobs, jobsNamed, jobsOfQuote } from './named.ts'
export { STATUSES as JOB_STATUSES, OPEN as OPEN_STATUSES } from './status.ts'
export {
  doNotService,
  jobTitle,
  lookUpWork,
  placeAfter,
  placeFor,
  PRIORITIES,
  workAfter,
  workInputs,
  WORK_DEFAULTS,
} from './visits/work.ts'
export type { FoundWork, TypedWork, Work } from './visits/work.ts'
