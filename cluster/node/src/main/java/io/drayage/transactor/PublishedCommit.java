package io.drayage.transactor;

import io.drayage.store.AppliedChanges;
import java.util.List;
import java.util.UUID;

/**
 * A published commit.
 *
 * @param times the duration of each step
 * @param worker the name in the header of the shipment; proven where workers must prove their names
 * @param fragments of a transaction of several workers, in order; else none
 * @param senders the workers that sent these fragments, in alphabetical order, proven likewise;
 *     else none
 * @param changes the changes, which are read from the store on demand. They retain the snapshot and
 *     the row ids of the cargo's updates
 */
public record PublishedCommit(
    CommitTimes times,
    String worker,
    List<UUID> fragments,
    List<String> senders,
    AppliedChanges changes) {}
