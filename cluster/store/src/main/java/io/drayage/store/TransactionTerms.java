package io.drayage.store;

import io.drayage.frame.AppVersion;
import io.drayage.frame.OnConflict;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the cargoes of a transaction are to be committed.
 *
 * @param baseSnapshot on which all of them were made
 * @param onConflict what to do if others have changed the same since
 * @param serializable whether it is a conflict if others have inserted into a table since that it
 *     inserts into
 * @param app the number that its application gave it; null if it has none
 * @param owner who commits it, to whom the application then belongs
 */
public record TransactionTerms(
    UUID transactionId,
    long baseSnapshot,
    OnConflict onConflict,
    boolean serializable,
    @Nullable AppVersion app,
    String owner) {}
