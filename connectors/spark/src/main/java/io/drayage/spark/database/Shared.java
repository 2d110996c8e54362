package io.drayage.spark.database;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Objects that all queries and tasks of this JVM share, one for each {@link DrayageOptions}: opened
 * at the first request, and closed when the application of Spark ends. Thread-safe.
 *
 * @param <T> of the objects
 */
public final class Shared<T extends AutoCloseable> {
  private static final System.Logger LOG = System.getLogger(Shared.class.getName());

  /** Guarded by itself. */
  private static final List<Shared<?>> ALL = new ArrayList<>();

  /** The context of a driver, whose end closes the objects. Guarded by {@link #ALL}. */
  private static @Nullable SparkContext context;

  private final Opener<T> opener;

  /** Guarded by itself. */
  private final Map<DrayageOptions, T> opened = new HashMap<>();

  /**
   * Opens an object.
   *
   * @param <T> of the object
   */
  public interface Opener<T> {
    /** Opens the object. */
    T open(DrayageOptions options) throws IOException;
  }

  /** Creates an instance for the whole life of the JVM. */
  public Shared(Opener<T> opener) {
    this.opener = opener;
    synchronized (ALL) {
      ALL.add(this);
    }
  }

  /**
   * Returns the object of these options.
   *
   * @throws IOException if a new one cannot be opened
   */
  public T of(DrayageOptions options) throws IOException {
    synchronized (opened) {
      T known = opened.get(options);
      if (known == null) {
        awaitEnd();
        known = opener.open(options);
        opened.put(options, known);
      }
      return known;
    }
  }

  private static void awaitEnd() {
    // An executor has none, and ends with its application.
    Option<SparkSession> session = SparkSession.getActiveSession();
    if (session.isEmpty()) {
      return;
    }
    SparkContext active = session.get().sparkContext();
    synchronized (ALL) {
      if (active != context) {
        active.addSparkListener(
            new SparkListener() {
              @Override
              public void onApplicationEnd(SparkListenerApplicationEnd end) {
                closeAll();
              }
            });
        context = active;
      }
    }
  }

  /** Closes all open objects in any order; none of them may be in use. */
  public static void closeAll() {
    List<Shared<?>> all;
    synchronized (ALL) {
      context = null;
      all = new ArrayList<>(ALL);
    }
    all.forEach(Shared::close);
  }

  private void close() {
    List<T> closing;
    synchronized (opened) {
      closing = new ArrayList<>(opened.values());
      opened.clear();
    }
    for (T each : closing) {
      try {
        each.close();
      } catch (Exception e) {
        LOG.log(System.Logger.Level.WARNING, "cannot close " + each, e);
      }
    }
  }
}
