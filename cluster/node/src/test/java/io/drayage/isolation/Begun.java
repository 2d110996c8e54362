package io.drayage.isolation;

import io.drayage.frame.OnConflict;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A transaction that a session is about to commit; one that only reads, if it appends nothing.
 *
 * @param atNs before it is sent, by the machine's monotonic clock
 * @param base the snapshot that it was made on
 * @param reads the elements of each list that it has read, before its own
 * @param appends the elements that it appends, each unique in the history; those before the last of
 *     a list are never to be seen without it
 */
public record Begun(
    UUID id,
    String session,
    long atNs,
    long base,
    OnConflict onConflict,
    Map<String, List<Long>> reads,
    Map<String, List<Long>> appends) {
  boolean overwrites() {
    return onConflict == OnConflict.OVERWRITE;
  }
}
