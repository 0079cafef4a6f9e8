export { comingVisitsOf } from './coming.ts'
export type { ComingVisit } from './coming.ts'
export { dateJob } from './dated.ts'
export { countWaiting, visitsBetween } from './day_visits.ts'
export type { DayVisit } from './day_visits.ts'
export { visitsOnDaysOff } from './day_off_visits.ts'
export type { DayOffVisit } from './day_off_visits.ts'
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
export { addMedia, findMedia, MEDIA_STAGES, removeMedia } from './media.ts'
export type { MediaFile, MediaStage, NewMedia } from './media.ts'
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
} from './work.ts'
export type { FoundWork, TypedWork, Work } from './work.ts'
