package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFolderTest {
  private static final List<String> OF_A_RUN =
      List.of("run.json", "report.html", "charts/sq.png", "logs/1.log", "logs/group-1/1.log");
  private static final List<String> OF_OTHERS =
      List.of("notes.txt", "profile.json", "charts/mine.svg", "logs/mine.txt");

  @TempDir private Path folder;

  private void leave(List<String> names) throws IOException {
    for (String name : names) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "of the run before");
    }
  }

  @Test
  void whatTheRunBeforeLeftDoesNotLookLikeTheResultOfThisOne() throws Exception {
    leave(OF_A_RUN);
    leave(OF_OTHERS);
    ResultFolder.openKept(folder, "throughput").close();
    assertThat(OF_A_RUN).noneMatch(name -> Files.exists(folder.resolve(name)));
    assertThat(OF_OTHERS).allMatch(name -> Files.exists(folder.resolve(name)));
  }

  @Test
  void aCommandWithoutAPageLeavesThePagesOfOthers() throws Exception {
    leave(OF_A_RUN);
    ResultFolder.open(folder).close();
    assertThat(folder.resolve("run.json"))
        .as("of a command with a result of another name")
        .exists();
    ResultFolder.openForResult(folder).close();
    assertThat(folder.resolve("run.json")).doesNotExist();
    assertThat(folder.resolve("logs/1.log")).doesNotExist();
    assertThat(folder.resolve("report.html")).exists();
  }

  @Test
  void aFolderBelongsToOneRunAtATime() throws Exception {
    leave(List.of(".lock"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    try (ResultFolder first = ResultFolder.openForResult(folder)) {
      for (Path name : List.of(folder, link)) {
        assertThatThrownBy(() -> ResultFolder.openKept(name, "throughput"))
            .isInstanceOf(FileSystemException.class)
            .hasMessage(
                name
                    + ": another run keeps its result there: wait for its end, or name another"
                    + " folder (--out)");
      }
      assertThat(first.logs()).isEmptyDirectory();
    }
    ResultFolder.openKept(folder, "throughput").close();
  }

  @Test
  void aTemporaryFolderStaysIfItsLogsAreNeeded() throws Exception {
    Path needed;
    try (ResultFolder opened = ResultFolder.openForResult(null)) {
      needed = opened.path();
      opened.keep(Result.of("", List.of(), false));
    }
    assertThat(needed.resolve("logs")).exists();
    try (ResultFolder opened = ResultFolder.openForResult(null)) {
      assertThat(needed).as("not taken for one of a killed process").exists();
      opened.keep(Result.of("", List.of(), true));
      Files.delete(needed.resolve("logs"));
      Files.delete(needed);
      needed = opened.path();
    }
    assertThat(needed).doesNotExist();
    try (ResultFolder opened = ResultFolder.openForKeptResult(null)) {
      opened.keep(Result.of("", List.of(), true));
      needed = opened.path();
    }
    assertThat(needed.resolve("run.json")).exists();
    Files.delete(needed.resolve("run.json"));
    Files.delete(needed.resolve("logs"));
    Files.delete(needed);
  }
}
