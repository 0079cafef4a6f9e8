export { rhythmOf } from './rhythm.ts'
export { catchUp, dueSeries, extendSeries, finishSeries, realignSeries } from './generation.ts'
export { activeSeriesOf, seriesNamed } from './job_series.ts'
export type { JobSeries } from './job_series.ts'
