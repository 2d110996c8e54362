package io.drayage.transactor;

import io.drayage.store.AppliedChanges;
import java.util.List;
import java.util.UUID;

/**
 * A published commit.
 *
 * @param times the duration of each step
 * @param worker whose cargo it was: the name in the header of its shipment, proven where workers
 *     have to prove theirs
 * @param fragments of a transaction of several workers, in order; none of another
 * @param senders the workers that sent these fragments, in alphabetical order, proven likewise;
 *     none of another
 * @param changes its changes, to be read back from the store. They retain the snapshot and the row
 *     ids of the cargo's updates
 */
public record PublishedCommit(
    CommitTimes times,
    String worker,
    List<UUID> fragments,
    List<String> senders,
    AppliedChanges changes) {}
