export type {
  ArchiveReader,
  CaseListPage,
  KeptCase,
  KeptIndex,
  KeptRow,
  KeptRun,
  RunListPage,
} from "./archive-reader.ts";
