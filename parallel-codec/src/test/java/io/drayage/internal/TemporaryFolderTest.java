package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class TemporaryFolderTest {
  private static final String PREFIX = "drayage-test-";

  @TempDir private Path parent;

  /** Another process that owns a folder with a file, until its standard input ends. */
  record Holder(Process process, Path folder) {
    static Holder start(Path parent) throws IOException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Holder.class.getName(),
                  parent.toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return new Holder(process, Path.of(process.inputReader(StandardCharsets.UTF_8).readLine()));
    }

    public static void main(String[] arguments) throws IOException {
      TemporaryFolder made = make(Path.of(arguments[0]));
      Files.writeString(Files.createDirectory(made.path().resolve("in")).resolve("spill"), "some");
      System.out.println(made.path());
      System.out.flush();
      int end = System.in.read();
      System.exit(end);
    }

    private void end(boolean isKilled) throws InterruptedException {
      if (isKilled) {
        process.destroyForcibly();
      } else {
        process.destroy();
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static TemporaryFolder make(Path parent) throws IOException {
    return TemporaryFolder.make(parent, PREFIX, () -> {});
  }

  @Test
  @Tag("ci")
  @Timeout(120)
  void deletesWhatAKilledProcessLeftAndNothingOfALivingOne() throws Exception {
    Holder killed = Holder.start(parent);
    Holder alive = Holder.start(parent);
    try {
      killed.end(true);
      assertThat(killed.folder.resolve("in/spill")).exists();
      try (TemporaryFolder next = make(parent)) {
        assertThat(killed.folder).doesNotExist();
        assertThat(alive.folder.resolve("in/spill")).exists();
        assertThat(next.path()).exists();
      }
      alive.end(false);
      assertThat(alive.folder).as("ended by SIGTERM").doesNotExist();
    } finally {
      killed.process.destroyForcibly();
      alive.process.destroyForcibly();
    }
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void twoOfOneProcessLeaveEachOtherAlone() throws Exception {
    TemporaryFolder first = make(parent);
    TemporaryFolder second = make(parent);
    assertThat(first.path()).exists();
    first.close();
    assertThat(first.path()).doesNotExist();
    assertThat(second.path()).exists();
    first.close();
    second.close();
    assertThat(parent).isEmptyDirectory();
  }

  @Test
  void deletesOnlyWhatOneOfItsPrefixHasLeft() throws Exception {
    Path left = left(PREFIX + "1");
    Path otherKind = left("drayage-other-1");
    Path nobodys = Files.createDirectory(parent.resolve(PREFIX + "2"));
    Path file = Files.createFile(parent.resolve(PREFIX + "3"));
    Path elsewhere = left("elsewhere");
    Path link = Files.createSymbolicLink(parent.resolve(PREFIX + "4"), elsewhere);
    Path linkedLock = Files.createDirectory(parent.resolve(PREFIX + "5"));
    Files.createSymbolicLink(linkedLock.resolve(FolderLock.FILE), file);
    Path old = Files.createDirectory(parent.resolve(PREFIX + "6"));
    Path oldWithFiles = Files.createDirectory(parent.resolve(PREFIX + "7"));
    Files.createFile(oldWithFiles.resolve("data"));
    for (Path each : List.of(old, oldWithFiles)) {
      Instant longAgo = Instant.now().minus(Duration.ofHours(25));
      Files.setLastModifiedTime(each, FileTime.from(longAgo));
    }
    try (TemporaryFolder made = make(parent)) {
      assertThat(made.path()).exists();
      assertThat(left).doesNotExist();
      assertThat(otherKind.resolve("data")).exists();
      assertThat(nobodys).exists();
      assertThat(file).exists();
      assertThat(link).exists();
      assertThat(elsewhere.resolve("data")).exists();
      assertThat(linkedLock).exists();
      assertThat(old).as("ended before it made its lock").doesNotExist();
      assertThat(oldWithFiles.resolve("data")).exists();
    }
  }

  private Path left(String name) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(name));
    Files.createFile(folder.resolve(FolderLock.FILE));
    Files.createFile(folder.resolve("data"));
    return folder;
  }

  @Test
  void whatAnotherUserLeftIsNotTouched() throws Exception {
    Path left = left(PREFIX + "1");
    UserPrincipal nobody =
        left.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
    try {
      Files.setOwner(left, nobody);
    } catch (FileSystemException e) {
      abort("only root can give a folder to another user: " + e.getMessage());
    }
    try (TemporaryFolder made = make(parent)) {
      assertThat(made.path()).exists();
      assertThat(left.resolve("data")).exists();
    }
  }

  @Test
  void aFileOfAnotherThatHasTheNameOfTheLockKeepsItsContent() throws Exception {
    Path file = Files.writeString(parent.resolve(FolderLock.FILE), "4711");
    try (FolderLock lock = FolderLock.tryLock(parent)) {
      assertThat(lock).isNotNull();
      assertThat(FolderLock.tryLock(parent)).isNull();
    }
    assertThat(file).hasContent("4711");
  }

  @Test
  void aKeptOneStays() throws Exception {
    TemporaryFolder kept = make(parent);
    kept.keep();
    try (TemporaryFolder next = make(parent)) {
      assertThat(kept.path()).exists();
      assertThat(next.path()).exists();
    }
  }

  @Test
  void namesTheFolderInWhichNoneCanBeMade() {
    String before = System.getProperty("java.io.tmpdir");
    Path gone = parent.resolve("gone");
    System.setProperty("java.io.tmpdir", gone.toString());
    try {
      assertThatThrownBy(() -> TemporaryFolder.make(PREFIX))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "no temporary folder can be made in %s (no such folder): name another one,"
                      .formatted(gone)
                  + " DRAYAGE_JAVA_OPTS=-Djava.io.tmpdir=DIR");
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }
}
