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
 * How far a shipment goes, and from how many workers.
 *
 * @param commits how whole commits are made; null if the cargo only has to take effect
 * @param workers how many workers ship at a time, each a cargo of its own
 */
public record Delivery(@Nullable Commits commits, int workers) {
  /** One worker, whose cargo only has to take effect in the transactor's memory. */
  public static final Delivery INTO_MEMORY = new Delivery(null, 1);

  /**
   * Whole commits, by nodes of a cluster: the transactor has a ZooKeeper in its process and an
   * object store in a folder. Every iteration begins with a new database.
   *
   * @param acknowledgement when the transactor answers
   * @param load where the worker gets the snapshot of its own commit from; the published system
   *     downloads it in any case
   * @param alsoDownloads whether a worker that has it from its own cargo downloads it after the
   *     commit as well, to tell what that takes
   * @param folder for the object stores, on the disk that is to be measured; it exists
   * @param storeBytesPerSecond what each process can write to its store, and read; null: no limit
   */
  public record Commits(
      Acknowledgement acknowledgement,
      LoadMode load,
      boolean alsoDownloads,
      String folder,
      @Nullable Long storeBytesPerSecond) {
    /**
     * As a system makes them.
     *
     * @param asked where its worker gets the snapshot from, if that is asked
     */
    public Commits by(SystemUnderTest system, @Nullable LoadMode asked) {
      if (asked != null) {
        return new Commits(acknowledgement, asked, false, folder, storeBytesPerSecond);
      }
      return system.toString().equals(Systems.PUBLISHED) ? by(system, LoadMode.STORE) : this;
    }

    /** Stores in another folder. */
    public Commits in(Path other) {
      return new Commits(
          acknowledgement, load, alsoDownloads, other.toString(), storeBytesPerSecond);
    }

    /** Opens an object store as a process of these commits uses it. */
    ObjectStore open(String name) throws IOException {
      ObjectStore store = ObjectStores.open(name);
      return storeBytesPerSecond == null ? store : new LimitedStore(store, storeBytesPerSecond);
    }
  }
}
