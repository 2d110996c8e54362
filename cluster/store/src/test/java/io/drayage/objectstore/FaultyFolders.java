package io.drayage.objectstore;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Folders on a disk that accepts names but, as often as a test wants, cannot keep them. */
public final class FaultyFolders {
  private final String name;
  private final AtomicInteger failures = new AtomicInteger();
  private final List<Path> forced = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Task> whenForced = new AtomicReference<>();
  private final AtomicReference<@Nullable Task> whenLinked = new AtomicReference<>();

  /** A task that runs during a call. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /**
   * @param name the last name of the folders that fail
   */
  public FaultyFolders(String name) {
    this.name = name;
  }

  /** Opens a store on this disk. */
  public ObjectStore open(Path folder) throws IOException {
    return FolderStore.open(
        folder,
        new UploadFile.Opener() {
          @Override
          public UploadFile open(Path file) throws IOException {
            return UploadFile.CHANNELS.open(file);
          }

          @Override
          public void link(Path name, Path file) throws IOException {
            Task task = whenLinked.getAndSet(null);
            if (task != null) {
              task.run();
            }
            UploadFile.CHANNELS.link(name, file);
          }

          @Override
          public void forceFolder(Path each) throws IOException {
            force(each);
          }
        });
  }

  /** Makes the next attempts to force a folder fail. */
  public void fail(int times) {
    failures.set(times);
  }

  /** The forced folders, in this order. */
  public List<Path> forced() {
    return forced;
  }

  /** Sets a task that runs before the next force of such a folder. */
  public void whenForced(Task task) {
    whenForced.set(task);
  }

  /** Sets a task that runs before the next file is linked to the name of an object. */
  public void whenLinked(Task task) {
    whenLinked.set(task);
  }

  private void force(Path folder) throws IOException {
    Task task = folder.endsWith(name) ? whenForced.getAndSet(null) : null;
    if (task != null) {
      task.run();
    }
    if (folder.endsWith(name) && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new IOException("Input/output error");
    }
    UploadFile.CHANNELS.forceFolder(folder);
    forced.add(folder);
  }
}
