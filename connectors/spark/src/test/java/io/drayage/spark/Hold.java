package io.drayage.spark;

import io.drayage.coordination.CandidacyListener;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.Term;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.rate.ForwardingStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * Where a primary stands still during a commit, as one does whose store or network is slow: the
 * first one that comes there when a test wants it. All processes of a test know by a folder.
 */
enum Hold {
  /** The request is here, and its fragments are looked for. */
  RECEIVED,
  /** The next snapshot is built, and its entry is about to be stored. */
  APPLIED,
  /** The entry is stored, and nobody is told. */
  LOGGED,
  /** The snapshot is published, and the coordinator is not told. */
  PUBLISHED;

  private static final String HELD = "held";
  private static final String RELEASED = "released";

  /** From now on. */
  void arm(String folder) {
    Beacon.light(folder, name());
  }

  /** Waits until a primary stands still; returns its process. */
  static long awaitHeld(String folder) {
    return Beacon.await(folder, HELD);
  }

  static void release(String folder) {
    Beacon.light(folder, RELEASED);
  }

  private void here(String folder) {
    synchronized (Hold.class) {
      if (!Beacon.isLit(folder, name()) || Beacon.isLit(folder, HELD)) {
        return;
      }
      Beacon.light(folder, HELD);
    }
    Beacon.await("a primary may go on", () -> Beacon.isLit(folder, RELEASED));
  }

  /** A store that stands still. */
  static ObjectStore store(ObjectStore store, String folder) {
    return new ForwardingStore(store) {
      @Override
      public long size(String key) throws IOException {
        if (key.startsWith("data/")) {
          RECEIVED.here(folder);
        }
        return super.size(key);
      }

      @Override
      public void put(String key, ByteBuffer content) throws IOException {
        boolean isEntry = key.endsWith(".commit");
        if (isEntry) {
          APPLIED.here(folder);
        }
        super.put(key, content);
        if (isEntry) {
          LOGGED.here(folder);
        }
      }
    };
  }

  /** A coordination whose terms stand still. */
  static Coordination coordination(Coordination coordination, String folder) {
    Function<Object, Object> term =
        each -> wrap(Term.class, each, "publish", arguments -> {}, () -> PUBLISHED.here(folder));
    Function<Object, Object> listener =
        each ->
            wrap(
                CandidacyListener.class,
                each,
                "elected",
                arguments -> arguments[0] = term.apply(arguments[0]),
                () -> {});
    return wrap(
        Coordination.class,
        coordination,
        "stand",
        arguments -> arguments[1] = listener.apply(arguments[1]),
        () -> {});
  }

  /** Another object with something done before and after one of its methods. */
  private interface Before {
    void change(Object[] arguments);
  }

  private static <T> T wrap(
      Class<T> type, Object wrapped, String method, Before before, Runnable after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (unused, called, arguments) -> {
              boolean isThis = called.getName().equals(method);
              if (isThis) {
                before.change(arguments);
              }
              try {
                Object result = called.invoke(wrapped, arguments);
                if (isThis) {
                  after.run();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
