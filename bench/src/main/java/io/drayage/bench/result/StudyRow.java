package io.drayage.bench.result;

import org.jspecify.annotations.Nullable;

/**
 * One of the study's combinations over gRPC, ours and the published figures. What failed, or was
 * not published for this size, is null.
 *
 * @param system the system's notation
 * @param sqS seconds of S+Q, the median
 * @param publishedSqS the study's; its clock ends when the last chunk is sent
 * @param commitS seconds of the whole commit, the median
 * @param publishedCommitS the study's
 * @param commitOverSq the whole commit over S+Q
 * @param publishedCommitOverSq the study's
 * @param score the whole commit over that of Java serialization without compression
 * @param publishedScore the study's
 */
public record StudyRow(
    String system,
    @Nullable Double sqS,
    @Nullable Double publishedSqS,
    @Nullable Double commitS,
    @Nullable Double publishedCommitS,
    @Nullable Double commitOverSq,
    @Nullable Double publishedCommitOverSq,
    @Nullable Double score,
    @Nullable Double publishedScore) {}
