export { rhythmOf } from './rhythm/rhythm.ts'
export { catchUp, dueSeries, extendSeries, finishSeries, realignSeries } from './generation.ts'
export { activeSeriesOf, seriesNamed } from './job_series.ts'
export type { JobSeries } from './job_series.ts'
