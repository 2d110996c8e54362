package io.drayage.coordination.zookeeper;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Registration;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.api.ErrorListenerPathable;
import org.apache.curator.framework.api.SyncBuilder;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class CuratorTest {
  @Test
  void aSyncThatFailsIsTold() {
    assertThatThrownBy(() -> session(Code.CONNECTIONLOSS).sync("/published"))
        .isInstanceOf(CoordinationException.class)
        .hasMessageContaining("cannot sync /published: KeeperErrorCode = ConnectionLoss");
  }

  @Test
  void aSyncEndsWhenItIsAnswered() {
    assertThatCode(() -> session(Code.OK).sync("/published")).doesNotThrowAnyException();
  }

  /** Curator keeps closed watches. The other watch of the path must go on. */
  @Test
  void forgetsAWatchThatIsClosed(@TempDir Path folder) throws Exception {
    try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(folder, 0)) {
      Curator session = Curator.connect(ZooKeeperOptions.of("127.0.0.1:" + server.port()));
      Semaphore changed = new Semaphore(0);
      Registration open = session.watch("/primary", changed::release);
      WeakReference<Runnable> closed = watchAndClose(session);
      changed.acquire();
      changed.drainPermits();
      int unused = session.write("/primary", new byte[] {1}, 0);
      changed.acquire();
      open.close();
      while (closed.get() != null) {
        System.gc();
        Thread.sleep(20);
      }
      session.close();
    }
  }

  private static WeakReference<Runnable> watchAndClose(Curator session) throws Exception {
    Semaphore changed = new Semaphore(0);
    Runnable whenChanged = changed::release;
    Registration watch = session.watch("/primary", whenChanged);
    session.ensure("/primary");
    changed.acquire();
    watch.close();
    return new WeakReference<>(whenChanged);
  }

  private static Curator session(Code code) {
    return new Curator(clientThatAnswers(code), ZooKeeperOptions.of("127.0.0.1:2181/root"));
  }

  /** A client that only answers a sync, whether or not it is asked for the answer. */
  private static CuratorFramework clientThatAnswers(Code code) {
    CuratorEvent event = stub(CuratorEvent.class, code.intValue());
    SyncBuilder builder =
        (SyncBuilder)
            Proxy.newProxyInstance(
                CuratorTest.class.getClassLoader(),
                new Class<?>[] {SyncBuilder.class},
                (proxy, method, arguments) -> {
                  if (!method.getName().equals("inBackground")) {
                    return null;
                  }
                  ((BackgroundCallback) arguments[0]).processResult(null, event);
                  return stub(ErrorListenerPathable.class, null);
                });
    return stub(CuratorFramework.class, builder);
  }

  /** A stub that gives the same answer to every call. */
  private static <T> T stub(Class<T> type, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            CuratorTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer));
  }
}
