/** The study's objects, and the forms in which they are written, kept in pages and read. */
@NullMarked
package io.drayage.study.sikdar.form;

import org.jspecify.annotations.NullMarked;
