package io.drayage.bench.rig.node;

import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.database.LoadMode;
import io.drayage.frame.Acknowledgement;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The extent of a shipment, and the number of workers.
 *
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param workers number of workers that ship at a time, each with its own cargo
 */
public record Delivery(@Nullable Commits commits, int workers) {
  /** One worker, whose cargo only has to take effect in the transactor's memory. */
  public static final Delivery INTO_MEMORY = new Delivery(null, 1);

  /**
   * Whole commits, by nodes of a cluster. The transactor has a ZooKeeper in its process and an
   * object store in a folder. Every iteration begins with a new database.
   *
   * @param acknowledgement when the transactor answers
   * @param load the worker's source for the snapshot of its own commit; the published system
   *     downloads it in any case
   * @param alsoDownloads whether a worker that has it from its own cargo also downloads it after
   *     the commit, to measure this
   * @param folder for the object stores, on the measured disk; it exists
   * @param storeBytesPerSecond each process's limit for its store, in each direction; null: none
   */
  public record Commits(
      Acknowledgement acknowledgement,
      LoadMode load,
      boolean alsoDownloads,
      String folder,
      @Nullable Long storeBytesPerSecond) {
    /**
     * Returns these commits as a system makes them.
     *
     * @param asked the worker's source for the snapshot, if given
     */
    public Commits by(SystemUnderTest system, @Nullable LoadMode asked) {
      if (asked != null) {
        return new Commits(acknowledgement, asked, false, folder, storeBytesPerSecond);
      }
      return system.toString().equals(Systems.PUBLISHED) ? by(system, LoadMode.STORE) : this;
    }

    /** Returns these commits with stores in another folder. */
    public Commits in(Path other) {
      return new Commits(
          acknowledgement, load, alsoDownloads, other.toString(), storeBytesPerSecond);
    }

    /** Opens an object store for a process of these commits. */
    ObjectStore open(String name) throws IOException {
      ObjectStore store = ObjectStores.open(name);
      return storeBytesPerSecond == null ? store : new LimitedStore(store, storeBytesPerSecond);
    }
  }
}
