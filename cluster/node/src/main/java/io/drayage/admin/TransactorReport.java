package io.drayage.admin;

import io.drayage.database.TransactionProgress;
import io.drayage.receive.ShipmentProgress;
import io.drayage.transactor.NodeEvents;
import io.drayage.transactor.NodeStatus;
import io.drayage.transactor.TransactorNode;
import java.util.List;

/**
 * The part of a node's report that only a transactor has.
 *
 * @param databaseBytes the memory of its database
 * @param maxDatabaseBytes its limit; {@link Long#MAX_VALUE} without a limit
 * @param maxFragmentBytes limit of the memory for fragments of open transactions
 * @param pendingCommits number of applied commits that are not in the log yet
 * @param shipments received or waiting ones, oldest first
 * @param transactions open ones of several workers, oldest first
 * @param events the last events, the newest first
 */
public record TransactorReport(
    long databaseBytes,
    long maxDatabaseBytes,
    long maxFragmentBytes,
    int pendingCommits,
    List<ShipmentProgress> shipments,
    List<TransactionProgress> transactions,
    List<NodeEvents.Event> events) {
  static TransactorReport of(TransactorNode node) {
    NodeStatus status = node.status();
    return new TransactorReport(
        status.databaseBytes(),
        status.maxDatabaseBytes(),
        node.transactionLimits().cacheBytes(),
        status.pendingCommits(),
        node.shipments(),
        node.transactions(),
        node.events().newest());
  }
}
