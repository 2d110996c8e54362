package io.drayage.transport.netty;

import io.drayage.frame.Token;
import org.jspecify.annotations.Nullable;

/**
 * Who may join a shipment: a peer that knows its token and, if certificates prove names, has the
 * name of the worker that opened it.
 *
 * @param worker null if the server does not ask for certificates
 */
record Owner(Token token, @Nullable String worker) {
  /** Whether a connection that shows this token, of a worker that proved this name, may join. */
  boolean admits(Token shown, @Nullable String provenWorker) {
    boolean sameWorker = worker == null ? provenWorker == null : worker.equals(provenWorker);
    return token.matches(shown) && sameWorker;
  }
}
