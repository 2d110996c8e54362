package io.drayage.isolation;

import io.drayage.frame.OnConflict;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A transaction that a session is about to commit. Without appends it only reads.
 *
 * @param atNs before it is sent, by the machine's monotonic clock
 * @param base the snapshot that it was made on
 * @param reads the elements of each list that it has read, without its own
 * @param appends the elements that it appends, each unique in the history; a reader must never see
 *     the earlier ones of a list without the last
 */
public record BegunTransaction(
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
