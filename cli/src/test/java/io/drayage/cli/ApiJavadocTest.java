package io.drayage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Requires that everything public in the libraries has a comment, for users to rely on. */
@Tag("ci")
final class ApiJavadocTest {
  @Test
  void everyTypeAndMemberOfTheApiHasJavadoc() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> missing = new ArrayList<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources()));
      DocTrees comments = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new Api(comments, missing).scan(unit, null);
      }
    }

    assertThat(missing).isEmpty();
  }

  private static List<Path> sources() throws IOException {
    Set<String> internal = LibraryPackages.internal();
    List<Path> sources = new ArrayList<>();
    for (String module : LibraryPackages.MODULES) {
      Path folder = LibraryPackages.sources(module);
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .filter(file -> !internal.contains(LibraryPackages.packageOf(folder.relativize(file))))
            .forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(100);
    return sources;
  }

  /** Finds declarations that are public, or protected in types that users may extend. */
  private static final class Api extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final DocTrees comments;
    private final List<String> missing;

    Api(DocTrees comments, List<String> missing) {
      this.comments = comments;
      this.missing = missing;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
      if (!isOpen(type.getModifiers())) {
        return null; // with its contents
      }
      require("type " + type.getSimpleName());
      return super.visitClass(type, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      // A record's comment covers its components; an inherited method has its comment elsewhere.
      if (isOpen(method.getModifiers()) && !isOverride(method) && !isCompact(method)) {
        require("method " + method.getName());
      }
      return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, @Nullable Void unused) {
      if (isOpen(field.getModifiers()) && !isComponent(field)) {
        require("field " + field.getName());
      }
      return null;
    }

    private boolean isOpen(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      ClassTree around = around();
      boolean inInterface =
          around != null
              && (around.getKind() == Tree.Kind.INTERFACE
                  || around.getKind() == Tree.Kind.ANNOTATION_TYPE);
      boolean extensible =
          around != null && !around.getModifiers().getFlags().contains(Modifier.FINAL);
      return flags.contains(Modifier.PUBLIC)
          || (inInterface && !flags.contains(Modifier.PRIVATE))
          || (flags.contains(Modifier.PROTECTED) && extensible);
    }

    private @Nullable ClassTree around() {
      return getCurrentPath().getParentPath().getLeaf() instanceof ClassTree type ? type : null;
    }

    private static boolean isOverride(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    /** Whether it is a compact constructor of a record: its parameters are those of the header. */
    private boolean isCompact(MethodTree method) {
      CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
      SourcePositions positions = comments.getSourcePositions();
      long start = positions.getStartPosition(unit, method);
      return method.getParameters().stream()
          .anyMatch(each -> positions.getStartPosition(unit, each) < start);
    }

    private boolean isComponent(VariableTree field) {
      ClassTree around = around();
      return around != null
          && around.getKind() == Tree.Kind.RECORD
          && !field.getModifiers().getFlags().contains(Modifier.STATIC);
    }

    private void require(String what) {
      if (comments.getDocComment(getCurrentPath()) == null) {
        missing.add(getCurrentPath().getCompilationUnit().getSourceFile().getName() + ": " + what);
      }
    }
  }
}
