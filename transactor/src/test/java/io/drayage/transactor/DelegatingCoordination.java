package io.drayage.transactor;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.Published;
import io.drayage.coordination.Registration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Another coordination, of which a test replaces a part. */
class DelegatingCoordination implements Coordination {
  private final Coordination coordination;

  DelegatingCoordination(Coordination coordination) {
    this.coordination = coordination;
  }

  @Override
  public Registration join(NodeInfo node) throws CoordinationException {
    return coordination.join(node);
  }

  @Override
  public List<NodeInfo> liveNodes() throws CoordinationException {
    return coordination.liveNodes();
  }

  @Override
  public Registration stand(NodeInfo node, CandidacyListener listener)
      throws CoordinationException {
    return coordination.stand(node, listener);
  }

  @Override
  public Optional<PrimaryInfo> primary() throws CoordinationException {
    return coordination.primary();
  }

  @Override
  public Optional<Published> published() throws CoordinationException {
    return coordination.published();
  }

  @Override
  public Registration watchPublished(Consumer<Published> watcher) throws CoordinationException {
    return coordination.watchPublished(watcher);
  }

  @Override
  public Registration watchPrimary(Consumer<PrimaryInfo> watcher) throws CoordinationException {
    return coordination.watchPrimary(watcher);
  }

  @Override
  public void close() {
    coordination.close();
  }
}
